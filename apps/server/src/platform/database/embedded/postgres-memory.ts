import { totalmem } from 'node:os'

const MIB = 1024 * 1024
/** PostgreSQL's own default, which suits the smallest machine. */
const LEAST_MIB = 128
/** Enough for a search among a million models; more has not made one faster. */
const MOST_MIB = 2048
const SHARE = 1 / 8

/**
 * MiB of memory for PostgreSQL's own cache: an eighth of the machine or container. A fortieth of it is taken at the
 * start, the rest as pages are read, which a small shop never reaches. Pages outside of it come from the system's
 * cache, which takes three times as long.
 */
export function sharedBuffersMib(
  machineBytes = totalmem(),
  containerBytes = process.constrainedMemory(),
): number {
  // Without a limit the file holds 0 or an impossibly large number.
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes
  return Math.min(Math.max(Math.floor((bytes * SHARE) / MIB), LEAST_MIB), MOST_MIB)
}
