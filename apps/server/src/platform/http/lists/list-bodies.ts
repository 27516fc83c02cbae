import { hash } from 'node:crypto'
import { idsIn } from '../../database/list-queries.ts'
import type { FoundPage, WrittenPage } from '../paging.ts'
import { type PathSigner, signPaths } from '../signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024

/**
 * Caches the bodies of pages. A page whose rows have not changed is neither read nor serialized again. Each request
 * asks the database which rows have changed, so no outdated page is sent, even if another replica made the change.
 */
export interface ListBodies {
  /**
   * Returns the page with its body. `read` returns the rows with these ids as a JSON array, in the same order. The
   * addresses in that array are not signed yet.
   */
  write(page: FoundPage, read: (ids: readonly string[]) => Promise<string>): Promise<WrittenPage>
}

/** Keeps the most recently used bodies, up to `maxBytes` in total. */
export function createListBodies(signer: PathSigner, maxBytes = MAX_BYTES): ListBodies {
  /** The bodies by tag, the most recently used one last. */
  const bodies = new Map<string, Buffer>()
  let writtenBytes = 0
  const beingWritten = new Map<string, Promise<Buffer>>()

  const keep = (tag: string, body: Buffer): void => {
    bodies.set(tag, body)
    writtenBytes += body.length
    for (const [oldest, { length }] of bodies) {
      if (writtenBytes <= maxBytes) return
      bodies.delete(oldest)
      writtenBytes -= length
    }
  }

  const writeNew = async (tag: string, read: () => Promise<string>): Promise<Buffer> => {
    try {
      const body = Buffer.from(signPaths(await read(), signer))
      keep(tag, body)
      return body
    } finally {
      beingWritten.delete(tag)
    }
  }

  const bodyOf = (tag: string, read: () => Promise<string>): Buffer | Promise<Buffer> => {
    const known = bodies.get(tag)
    if (known) {
      bodies.delete(tag)
      bodies.set(tag, known)
      return known
    }
    const begun = beingWritten.get(tag)
    if (begun) return begun
    const body = writeNew(tag, read)
    beingWritten.set(tag, body)
    return body
  }

  return {
    async write({ stamps, next, total }, read) {
      // The tag contains the hour, because the addresses in the body are signed again each hour.
      const tag = `"${hash('sha256', `${signer.endOfAddresses()}\n${stamps}`, 'base64url')}"`
      return { body: await bodyOf(tag, () => read(idsIn(stamps))), tag, next, total }
    },
  }
}
