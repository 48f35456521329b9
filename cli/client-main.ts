#!/usr/bin/env node
// First: the modules of a bundle run in the order of their imports.
import './lib/check-node.js'
import './start.js'
