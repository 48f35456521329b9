import { tryEveryState } from './every-state.js'

tryEveryState('ar', 'rtl')
