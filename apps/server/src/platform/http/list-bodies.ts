import { hash } from 'node:crypto'
import { idsIn } from '../database/list-queries.ts'
import type { FoundPage, WrittenPage } from './paging.ts'
import { type PathSigner, signPaths } from './signed-path.ts'

const MAX_BYTES = 8 * 1024 * 1024

/**
 * Bodies of pages that were sent. A page whose rows are the same as before is neither read nor written again. Whether they are
 * is asked of the database for each request, so nothing old is sent, whichever replica made a change.
 */
export interface ListBodies {
  /** `read` returns what the list says of the rows: a JSON array in their order, with addresses to be signed. */
  write(page: FoundPage, read: (ids: readonly string[]) => Promise<string>): Promise<WrittenPage>
}

/** Keeps the bodies that were used last, up to `maxBytes` of them. */
export function createListBodies(signer: PathSigner, maxBytes = MAX_BYTES): ListBodies {
  /** By tag, the last used one at the end. */
  const written = new Map<string, Buffer>()
  let writtenBytes = 0
  const beingWritten = new Map<string, Promise<Buffer>>()

  const keep = (tag: string, body: Buffer): void => {
    written.set(tag, body)
    writtenBytes += body.length
    for (const [oldest, { length }] of written) {
      if (writtenBytes <= maxBytes) return
      written.delete(oldest)
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
    const known = written.get(tag)
    if (known) {
      written.delete(tag)
      written.set(tag, known)
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
      // The addresses in the body are signed again each hour.
      const tag = `"${hash('sha256', `${signer.endOfAddresses()}\n${stamps}`, 'base64url')}"`
      return { body: await bodyOf(tag, () => read(idsIn(stamps))), tag, next, total }
    },
  }
}
