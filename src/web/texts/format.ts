/** `2026-08-02 10:15:30 UTC` */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Between two moments, for people: `44 ms`, `2.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(from: Date, to: Date): string {
  return formatMs(Math.max(0, to.getTime() - from.getTime()));
}

/** The same of a length of time in ms. */
export function formatMs(length: number): string {
  const ms = Math.round(length);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes * 60 === seconds ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours * 60 === minutes ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** A part of a whole, 0 to 1, for people: `92 %`. Only all is 100 %. */
export function formatRate(rate: number): string {
  return `${rate === 1 ? 100 : Math.min(99, Math.round(rate * 100))} %`;
}

/** A count with its noun: `1 test`, `5 tests`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Program and arguments as one would type them in a shell. */
export function formatCommand(command: string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** A size for people: `812 bytes`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
