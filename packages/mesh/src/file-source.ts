import { open } from 'node:fs/promises'
import type { ByteSource } from './byte-source.ts'

/** An open file on disk. Callers must `close` it. */
export type FileSource = ByteSource & { close(): Promise<void> }

/** Opens a file for random access. Throws the file system's error, such as ENOENT. */
export async function openFileSource(path: string): Promise<FileSource> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return {
      sizeBytes: size,
      read: async (target, offset) => (await file.read(target, 0, target.length, offset)).bytesRead,
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
