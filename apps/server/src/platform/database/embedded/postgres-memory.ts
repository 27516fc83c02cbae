import { totalmem } from 'node:os'

const MIB = 1024 * 1024
/** The minimum size of PostgreSQL's cache: its own default, which suits the smallest machines. */
const LEAST_MIB = 128
/** The maximum size, which is enough for searching a million models. A larger cache has not made any search faster. */
const MOST_MIB = 2048
const SHARE_OF_MACHINE = 1 / 8
/**
 * The share of the free memory for PostgreSQL. The rest is for the server, its workers and the file cache of the
 * system.
 */
const SHARE_OF_FREE = 1 / 4

/** Memory sizes in bytes. If a container has no limit, `container` is 0 or a very large number. */
export interface Memory {
  machine: number
  container: number
  /** The free memory of the machine or container. */
  free: number
}

/**
 * Returns the size of PostgreSQL's own cache in MiB: an eighth of the memory of the machine or container, but
 * at most a quarter of the free memory. PostgreSQL takes a fortieth of it at the start and the rest as it
 * reads pages, so a small shop never uses it all. Reading a page outside this cache, from the system's cache,
 * takes three times as long.
 */
export function sharedBuffersMib({ machine, container, free }: Memory = readMemory()): number {
  const size = container > 0 ? Math.min(machine, container) : machine
  const bytes = Math.min(size * SHARE_OF_MACHINE, free * SHARE_OF_FREE)
  return Math.min(Math.max(Math.floor(bytes / MIB), LEAST_MIB), MOST_MIB)
}

function readMemory(): Memory {
  return { machine: totalmem(), container: process.constrainedMemory(), free: process.availableMemory() }
}
