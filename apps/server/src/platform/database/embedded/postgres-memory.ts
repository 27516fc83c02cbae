import { totalmem } from 'node:os'

const MIB = 1024 * 1024
/** PostgreSQL's own default, which it runs well with on the smallest machine. */
const LEAST_MIB = 128
/** Holds what a search among a million models reads; more has not made one faster. */
const MOST_MIB = 2048
const SHARE = 1 / 8

/**
 * How many MiB of its data PostgreSQL may keep in its own memory: an eighth of what the machine, or the container, has.
 * A fortieth is taken at the start, the rest page by page as it reads, which a small shop never comes to; what it does
 * not keep itself it gets from the system's cache, which takes three times as long.
 */
export function sharedBuffersMib(
  machineBytes = totalmem(),
  containerBytes = process.constrainedMemory(),
): number {
  // Without a limit it is 0, or a number that no machine has.
  const bytes = containerBytes > 0 ? Math.min(machineBytes, containerBytes) : machineBytes
  return Math.min(Math.max(Math.floor((bytes * SHARE) / MIB), LEAST_MIB), MOST_MIB)
}
