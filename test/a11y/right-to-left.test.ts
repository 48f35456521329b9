import { tryEveryState } from './check-states.js'

tryEveryState('ar', 'rtl')
