import { totalmem } from 'node:os'

const MIB = 1024 * 1024
/** PostgreSQL's own default, which suits the smallest machine. */
const LEAST_MIB = 128
/** Enough for a search among a million models; more has not made one faster. */
const MOST_MIB = 2048
const SHARE_OF_MACHINE = 1 / 8
/** The rest of the free memory is for the server, its workers and the system's cache of files. */
const SHARE_OF_FREE = 1 / 4

/** Bytes of memory. A container without a limit has 0, or an impossibly large number. */
export interface Memory {
  machine: number
  container: number
  /** The free memory of this machine or container. */
  free: number
}

/**
 * MiB of memory for PostgreSQL's own cache: an eighth of the machine or container, at most a quarter of what is free
 * now. PostgreSQL takes a fortieth of it at the start and the rest as it reads pages; a small shop never uses it all.
 * Pages outside of it come from the system's cache, which takes three times as long.
 */
export function sharedBuffersMib({ machine, container, free }: Memory = readMemory()): number {
  const size = container > 0 ? Math.min(machine, container) : machine
  const bytes = Math.min(size * SHARE_OF_MACHINE, free * SHARE_OF_FREE)
  return Math.min(Math.max(Math.floor(bytes / MIB), LEAST_MIB), MOST_MIB)
}

function readMemory(): Memory {
  return { machine: totalmem(), container: process.constrainedMemory(), free: process.availableMemory() }
}
