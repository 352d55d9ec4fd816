import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { realServer, type RealServer } from './real-server.js';

/** A real server after its first page, which may exceed the response timeout on a busy machine. */
export async function awakeServer(): Promise<RealServer> {
  const real = await realServer();
  const { sessionHeaders } = await addPerson(real.collections);
  const page = { url: '/profile', headers: sessionHeaders };
  await eventually(async () => (await real.server.inject(page)).statusCode === 200 || undefined, 60_000);
  return real;
}
