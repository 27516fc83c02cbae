import type { ByteSource } from '../byte-source.ts'
import { catchRejection } from '../rejection-error.ts'
import type { Rejection } from '../types.ts'
import { openPackage } from './package.ts'
import { findSlicerCommands, type SlicerCommand } from './slicer-commands.ts'
import { copyZip } from '../zip/copy-zip.ts'

export type Sanitized3mf = {
  ok: true
  /** The commands that were found. The list is empty if the file can be served unchanged. */
  commands: SlicerCommand[]
  /** The file without the parts that `commands` names. The print settings in those parts are lost. */
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * Creates the copy of a 3MF for downloads. It does not contain the command that a slicer would run on the
 * computer of the person who opens it. The stored original does not change. `source` must stay open while
 * `bytes()` is read.
 */
export function sanitize3mf(source: ByteSource): Promise<Sanitized3mf | Rejection> {
  return catchRejection(async () => {
    const { archive } = await openPackage(source)
    const commands = await findSlicerCommands(archive)
    const leftOut = new Set(commands.map((command) => command.part))
    return { ok: true as const, commands, bytes: () => copyZip(archive, (entry) => !leftOut.has(entry.name)) }
  })
}
