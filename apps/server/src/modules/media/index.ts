import { createHash } from 'node:crypto'
import { publicMediaPath } from '@pegasus/contracts/media/media-files'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { ServiceKeyPrincipal } from '../../platform/http/principal.ts'
import { type OwnCallOptions, createOwnCall } from '../../platform/outbound/safe-call.ts'
import type { ResumableUploads } from '../../platform/resumable/resumable-uploads.ts'
import { createTusProtocol, wishOf } from '../../platform/resumable/tus-protocol.ts'
import type { ObjectStorage } from '../../platform/storage/object-storage.ts'
import { createBoundedQueue } from '../../platform/workers/bounded-queue.ts'
import type { FindLinkIssuer, HostedProject } from '../auth/index.ts'
import { addBucketRoutes } from './buckets/buckets.routes.ts'
import { createBuckets } from './buckets/buckets.service.ts'
import { createStoreUpload } from './upload/store-upload.ts'
import { addListPageRoutes } from './objects/list-objects.routes.ts'
import { createListPages } from './objects/list-objects.service.ts'
import { createLinkTokens } from './links/link-token.ts'
import { createMediaLinks } from './links/media-links.ts'
import { addMediaLinkRoutes } from './links/media-links.routes.ts'
import { addUploadLinkRoutes } from './links/upload-links.routes.ts'
import { createUploadLinks } from './links/upload-links.ts'
import { addMediaRoutes } from './media.routes.ts'
import { createMedia } from './media.service.ts'
import { addObjectRoutes } from './objects/move-objects.routes.ts'
import { createObjectChanges } from './objects/move-objects.service.ts'
import { addResumableObjectRoutes } from './resumable/resumable-objects.routes.ts'
import { createObjectRules, placeOf } from './resumable/resumable-objects.ts'
import { createVariants } from './pictures/variants.service.ts'
import { createMediaSender } from './send-media.ts'
import type { PutNew } from './own-file.ts'
import { createProjectUpload } from './project-upload.ts'
import { sweepMedia } from './stored-media.ts'

export { mediaFiles } from './stored-media.ts'
export { SNIFF_BYTES, detectFormat } from './detect-format.ts'
export { PictureRefusedError, resizePicture } from './pictures/codec.ts'

/** Limits parallel decoding, because one picture can take 200 MB. */
const PICTURES_AT_ONCE = 2
const PICTURES_WAITING = 100

/**
 * The metadata field that holds a generated file's hash before re-encoding. Uploaded files with the same name
 * lack this field.
 */
const SOURCE = 'source_sha256'

export interface MediaModule {
  putNew: PutNew
  /** Removes stored bytes that no object refers to. Returns the number of removed keys. Called every hour. */
  removeOrphans(): Promise<number>
}

/** Adds the storage for files, in the protocol of the hosted storage service. */
export function addMedia(
  endpoints: Endpoints,
  deps: {
    database: Database
    storage: ObjectStorage
    clock: Clock
    uploadLimitBytes: number
    /** The key that signs addresses for reading or storing one file. All replicas share it. */
    linkKey: Uint8Array
    uploads: ResumableUploads
    findSigner: FindLinkIssuer
    /** Returns a service key that is still valid, or null. */
    findServiceKey(id: string): Promise<ServiceKeyPrincipal | null>
    version: string
    /** The hosted project that holds the product media. If null, this server holds them. */
    project: HostedProject | null
    /** How calls to the hosted project are made. Tests replace the defaults. */
    outbound?: OwnCallOptions | undefined
  },
): MediaModule {
  const { storage, clock } = deps
  const turns = createBoundedQueue({ concurrency: PICTURES_AT_ONCE, maxWaiting: PICTURES_WAITING })
  const media = createMedia({ ...deps, turns })
  const send = createMediaSender({ storage, variants: createVariants({ storage, turns }) })
  const storeUpload = createStoreUpload({ media, storage, clock })
  addMediaRoutes(endpoints, { media, send, storeUpload })
  addBucketRoutes(endpoints, { buckets: createBuckets(deps), version: deps.version })
  addListPageRoutes(endpoints, { pages: createListPages(deps) })
  addObjectRoutes(endpoints, { media, moving: createObjectChanges({ ...deps, media }) })
  const tokens = createLinkTokens({ key: deps.linkKey, clock })
  addMediaLinkRoutes(endpoints, { media, send, links: createMediaLinks({ tokens }) })
  const uploadLinks = createUploadLinks({ ...deps, tokens })
  addUploadLinkRoutes(endpoints, { media, links: uploadLinks, storeUpload })
  const { uploads } = deps
  const protocol = createTusProtocol(deps, createObjectRules({ ...deps, media }))
  addResumableObjectRoutes(endpoints, {
    protocol,
    links: uploadLinks,
    findPlace: async (id) => placeOf(wishOf(await uploads.findForToken(id))),
  })
  const { project } = deps
  const putHere: PutNew = async ({ bucket, path, bytes, cacheSeconds }, by) => {
    const address = publicMediaPath(path, bucket)
    const target = await media.target(bucket, path)
    const source = createHash('sha256').update(bytes).digest('hex')
    const find = () => unless('OBJECT_NOT_FOUND', media.get(bucket, path))
    const isSame = (object: Awaited<ReturnType<typeof media.get>>) =>
      object.user_metadata?.[SOURCE] === source
    const there = await find()
    if (there) return isSame(there) ? address : null
    const pending = await storage.begin('own')
    await pending.write(bytes).catch(async (error: unknown) => {
      await pending.abort()
      throw error
    })
    const upload = {
      pending,
      // The bucket for the shop's media detects the real type from the bytes.
      contentType: 'application/octet-stream',
      cacheControl: `max-age=${cacheSeconds}`,
      userMetadata: { [SOURCE]: source },
    }
    const options = { replaces: false, ownerId: by.actor.kind === 'user' ? by.actor.id : null }
    const stored = await unless('OBJECT_EXISTS', media.store(target, upload, options, by))
    if (stored !== null) return address
    // A concurrent call may have stored the same file in the meantime.
    const other = await find()
    return other && isSame(other) ? address : null
  }

  return {
    putNew: project ? createProjectUpload(project, createOwnCall(project.url, deps.outbound)) : putHere,
    removeOrphans: () => sweepMedia(deps),
  }
}

/** Resolves to null if the work fails with this error code. */
const unless = <T>(code: AppError['code'], work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof AppError && error.code === code) return null
    throw error
  })
