import type { AuditContext } from '../../platform/actor.ts'

/** A generated file. It is stored like an upload. */
interface OwnFile {
  bucket: string
  path: string
  bytes: Uint8Array
  cacheSeconds: number
}

/**
 * Stores a file if its name is free, in the hosted project if there is one. Returns its public address, also if the
 * same file is already stored there. Returns null, and keeps the other file, if another file has that name. Throws the
 * errors of an upload, and HOSTED_STORAGE_FAILED.
 */
export type PutNew = (file: OwnFile, by: AuditContext) => Promise<string | null>
