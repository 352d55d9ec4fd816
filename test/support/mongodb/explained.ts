import { MongoClient, type CommandStartedEvent, type Document } from 'mongodb';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';

/** A query and its execution statistics. */
export interface Explained {
  /** `runs.find` */
  query: string;
  /** Names of the plan's stages. */
  stages: string[];
  keys: number;
  docs: number;
  command: Document;
}

const EXPLAINABLE = ['find', 'aggregate', 'count', 'distinct'];
/** Fields that the driver adds, and that `explain` rejects. */
const NOT_EXPLAINED = ['$db', 'lsid', '$clusterTime', '$readPreference', 'maxTimeMS'];

/** Explains every query of `ask`, with the number of index keys and documents read. */
export async function explainQueries(
  url: string,
  ask: (collections: Collections) => Promise<unknown>,
): Promise<Explained[]> {
  const client = await new MongoClient(url, { monitorCommands: true, ignoreUndefined: true }).connect();
  try {
    const commands: Document[] = [];
    const note = ({ commandName, command }: CommandStartedEvent) =>
      EXPLAINABLE.includes(commandName) && commands.push({ ...command });
    client.on('commandStarted', note);
    await ask(collectionsOf(client.db()));
    client.off('commandStarted', note);
    return await Promise.all(
      commands.map(async (command) => {
        const asked = Object.fromEntries(Object.entries(command).filter(([name]) => !NOT_EXPLAINED.includes(name)));
        const answer = await client
          .db()
          .command({ explain: asked, verbosity: 'executionStats' }, { ignoreUndefined: true });
        return { ...whatItDid(answer), query: nameOf(command), command: asked };
      }),
    );
  } finally {
    await client.close();
  }
}

function nameOf(command: Document): string {
  const [name, collection] = Object.entries(command)[0]!;
  return `${String(collection)}.${name}`;
}

/** Searches the whole plan, because queries and pipelines have plans of different structure. */
function whatItDid(answer: Document): Pick<Explained, 'stages' | 'keys' | 'docs'> {
  const did = { stages: [] as string[], keys: 0, docs: 0 };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'rejectedPlans' || name === 'allPlansExecution') continue;
      if (name === 'stage' && typeof value === 'string') did.stages.push(value);
      else if (name === 'totalKeysExamined') did.keys += Number(value);
      else if (name === 'totalDocsExamined') did.docs += Number(value);
      else visit(value);
    }
  };
  visit(answer);
  return did;
}
