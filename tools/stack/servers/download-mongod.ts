import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';
import { reasonOf } from './not-possible.js';

// A separate program (see download.ts): downloads the official mongod into the folder.
const [folder, version] = process.argv.slice(2) as [string, string];
try {
  // Uses only this folder, no other binary and no copy in node_modules.
  process.env.MONGOMS_PREFER_GLOBAL_PATH = 'false';
  console.log(await MongoBinary.getPath({ version, downloadDir: folder, systemBinary: '' }));
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
