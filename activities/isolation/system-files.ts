import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** Programs and libraries of the system. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

/**
 * Settings that programs need. An allow-list: others of /etc can contain passwords, such as those of package managers,
 * services and shells.
 */
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'fonts',
  'gai.conf',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'localtime',
  'maven',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki',
  'protocols',
  'resolv.conf',
  'services',
  'ssl',
  'timezone',
].map((name) => `/etc/${name}`);

/** Readable by root, and so by the tests of a worker that runs as root. */
const PRIVATE_FOLDERS = ['/etc/ssl/private', '/etc/pki/tls/private', '/usr/local/etc'];

const CACHES = ['/var/cache/fontconfig'];

/**
 * Settings of the kernel that belong to the machine: a test of a worker that runs as root could write to them
 * (`/proc/sys/kernel/core_pattern` starts programs outside), or read what is for root only.
 */
const KERNEL_SETTINGS = ['bus', 'driver', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`);
const KERNEL_SECRETS = ['kcore', 'keys', 'kmsg', 'kallsyms', 'latency_stats', 'timer_list', 'sched_debug'].map(
  (name) => `/proc/${name}`,
);
const KERNEL_FOLDERS = ['acpi', 'asound', 'scsi', 'dynamic_debug'].map((name) => `/proc/${name}`);

/** Arguments for bubblewrap: a /proc with the processes inside, through which nothing of the machine can be changed. */
export function processFolder(): string[] {
  const existing = (paths: string[]) => paths.filter((path) => existsSync(path));
  return [
    ...['--proc', '/proc'],
    ...existing(KERNEL_SETTINGS).flatMap((path) => ['--ro-bind', path, path]),
    ...existing(KERNEL_SECRETS).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...existing(KERNEL_FOLDERS).flatMap((path) => ['--tmpfs', path]),
  ];
}

/** Existing folders of the system whose files can be read inside, links not followed. */
export const systemRoots = (): string[] => SYSTEM_FOLDERS.filter((folder) => existsSync(folder));

/** Arguments for bubblewrap that show the system's programs, libraries and settings, read-only. */
export function systemBinds(): string[] {
  const folders = systemRoots().flatMap((folder) =>
    // On most systems /bin and /lib are links into /usr.
    lstatSync(folder).isSymbolicLink() ? ['--symlink', readlinkSync(folder), folder] : ['--ro-bind', folder, folder],
  );
  const files = [...SETTINGS, ...CACHES].filter((path) => existsSync(path));
  const hidden = PRIVATE_FOLDERS.filter((path) => existsSync(path));
  return [
    ...folders,
    ...files.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap((path) => ['--tmpfs', path]),
  ];
}
