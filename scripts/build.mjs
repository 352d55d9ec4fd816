#!/usr/bin/env node
// `npm run build`
import { build } from './lib/build.mjs';
import { root, underBuildLock } from './lib/repository.mjs';

try {
  console.log((await underBuildLock(() => build(root))) ? 'Built into dist/' : 'dist/ is up to date');
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
