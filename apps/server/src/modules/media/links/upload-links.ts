import { createHash } from 'node:crypto'
import { storageSignUpload } from '@pegasus/contracts/media/hosted-signed-links'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceKeyPrincipal } from '../../../platform/http/principal.ts'
import type { FindLinkIssuer } from '../../auth/index.ts'
import type { StorageCaller } from '../storage-caller.ts'
import type { LinkClaims, LinkTokens } from './link-token.ts'

const SCOPE = 'upload'
/** The same validity period as in the hosted service. */
const UPLOAD_LINK_SECONDS = 2 * 3600

interface UploadClaims extends LinkClaims {
  upsert: boolean
  /** The identity of the bucket. Missing in tokens of earlier versions. */
  bucket_uid?: string
  owner?: string
  session_id?: string
  /** Set instead of `owner` and `session_id` if a secret key signed the URL. */
  key_id?: string
}

interface Place {
  bucket: string
  /** The name of the object in its bucket. */
  name: string
}

/** The contents of a token. */
interface ReadUploadLink {
  signer: StorageCaller
  replaces: boolean
  /** The identity of the bucket. Null for tokens of earlier versions. */
  bucketUid: string | null
  /** The hash that identifies the token. */
  tokenHash: string
}

/**
 * Signs and checks upload URLs. At such a URL, anybody can store one file for the account or key
 * that signed it.
 */
export interface UploadLinks {
  /** Returns the signed URL, relative to `/storage/v1`, and its token. */
  sign(
    place: Place & { replaces: boolean; bucketUid: string },
    by: StorageCaller,
  ): Promise<{ url: string; token: string }>
  /**
   * Returns the signer, and whether an existing file may be replaced. Throws LINK_INVALID, LINK_OF_OTHER or
   * LINK_OUTDATED. LINK_OUTDATED can also mean that the signer signed out, was deactivated or may no longer upload, or
   * that the key was revoked.
   */
  read(token: string | undefined, asked: Place): Promise<ReadUploadLink>
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Hash only the signed part, because one signature can be encoded in several ways. */
const hashOf = (token = ''): string =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('hex')

export function createUploadLinks(deps: {
  tokens: LinkTokens
  findSigner: FindLinkIssuer
  findServiceKey(id: string): Promise<ServiceKeyPrincipal | null>
}): UploadLinks {
  const { tokens, findSigner, findServiceKey } = deps

  const signerOf = async ({ owner, session_id: sessionId, key_id: keyId }: UploadClaims) => {
    if (keyId !== undefined) return findServiceKey(keyId)
    if (owner === undefined || sessionId === undefined) return null
    return findSigner({ accountId: owner, sessionId }, storageSignUpload)
  }

  return {
    async sign({ bucket, name, replaces, bucketUid }, by) {
      const claims = {
        url: `${bucket}/${name}`,
        scope: SCOPE,
        upsert: replaces,
        bucket_uid: bucketUid,
      } as const
      const signer =
        by.kind === 'user' ? { owner: by.accountId, session_id: by.sessionId } : { key_id: by.keyId }
      const token = await tokens.sign<UploadClaims>({ ...claims, ...signer }, UPLOAD_LINK_SECONDS)
      return { url: `/object/upload/sign/${encodePath(`${bucket}/${name}`)}?token=${token}`, token }
    },

    async read(token, { bucket, name }) {
      const asked = { url: `${bucket}/${name}`, scope: SCOPE } as const
      const claims = await tokens.read<UploadClaims>(token, asked)
      const signer = await signerOf(claims)
      if (!signer) throw new AppError('LINK_OUTDATED')
      return {
        signer,
        replaces: claims.upsert,
        bucketUid: claims.bucket_uid ?? null,
        tokenHash: hashOf(token),
      }
    },
  }
}
