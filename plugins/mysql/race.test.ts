import { raceLaws } from '#core/testing/races'

await raceLaws('mysql')
