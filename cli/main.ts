#!/usr/bin/env node
import './lib/check-node.js'

// Loaded after the check: an old Node cannot link the rest.
await import('./start.js')
