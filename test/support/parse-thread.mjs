// Threads do not inherit tsx, so it is registered here before the source is loaded.
import { register } from 'tsx/esm/api';

register();
await import('../../src/services/projects/parse-thread.ts');
