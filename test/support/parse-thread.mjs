// A thread does not inherit tsx: it is registered here, then the sources run as they are.
import { register } from 'tsx/esm/api';

register();
await import('../../src/services/projects/parse-thread.ts');
