import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';
import { reasonOf } from './not-possible.js';

// A program of its own (see download.ts): fetches the official mongod into the folder.
const [folder, version] = process.argv.slice(2) as [string, string];
try {
  // Only what is in this folder counts: no binary elsewhere, no copy in node_modules.
  process.env.MONGOMS_PREFER_GLOBAL_PATH = 'false';
  console.log(await MongoBinary.getPath({ version, downloadDir: folder, systemBinary: '' }));
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
