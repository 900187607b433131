#!/usr/bin/env node
// the bundle looks at what was started
import '../index.js';
