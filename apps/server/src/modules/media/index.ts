import type { Deed } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { createBoundedQueue } from '../../platform/workers/bounded-queue.ts'
import { createMediaLinks } from './links/media-links.ts'
import { addMediaLinkRoutes } from './links/media-links.routes.ts'
import { addMediaRoutes } from './media.routes.ts'
import { createMedia } from './media.service.ts'
import { createVariants } from './pictures/variants.service.ts'
import { createMediaSender } from './send-media.ts'
import { sweepMedia } from './stored-media.ts'

/** Each picture may take 200 MB while it is decoded. */
const PICTURES_AT_ONCE = 2
const PICTURES_WAITING = 100

/** A file of our own making, to be kept as if somebody had uploaded it. */
export interface OwnFile {
  bucket: string
  path: string
  bytes: Uint8Array
  cacheSeconds: number
}

export interface MediaModule {
  /** Stores a file under a name, replacing what is there. Throws what an upload of it would be told. */
  put(file: OwnFile, by: Deed): Promise<void>
  /** For every hour: removes stored bytes that no object stands for. */
  removeOrphans(): Promise<number>
}

/** Files of products, in the hosted storage service's protocol. */
export function addMedia(
  endpoints: Endpoints,
  deps: {
    database: Database
    storage: ObjectStorage
    clock: Clock
    uploadLimitBytes: number
    /** Signs the addresses that read one file; replicas share it. */
    linkKey: Uint8Array
  },
): MediaModule {
  const { storage, clock } = deps
  const turns = createBoundedQueue({ concurrency: PICTURES_AT_ONCE, maxWaiting: PICTURES_WAITING })
  const media = createMedia({ ...deps, turns })
  const send = createMediaSender({ storage, variants: createVariants({ storage, turns }) })
  addMediaRoutes(endpoints, { media, send, storage, clock })
  addMediaLinkRoutes(endpoints, { media, send, links: createMediaLinks({ key: deps.linkKey, clock }) })
  return {
    async put({ bucket, path, bytes, cacheSeconds }, by) {
      const target = await media.target(bucket, path)
      const pending = await storage.begin()
      await pending.write(bytes).catch(async (error: unknown) => {
        await pending.abort()
        throw error
      })
      const upload = { pending, cacheControl: `max-age=${cacheSeconds}`, userMetadata: null }
      await media.store(
        target,
        upload,
        { replaces: true, ownerId: by.actor.kind === 'user' ? by.actor.id : null },
        by,
      )
    },
    removeOrphans: () => sweepMedia(deps),
  }
}
