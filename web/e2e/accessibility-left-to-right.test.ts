import { tryEveryState } from './every-state.js'

tryEveryState('en', 'ltr')
