import { tryEveryState } from './check-states.js'

tryEveryState('en', 'ltr')
