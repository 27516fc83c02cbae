import { storageSignUpload } from '@pegasus/contracts/media/hosted-signed-links'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { FindLinkIssuer } from '../../auth/index.ts'
import type { LinkClaims, LinkTokens } from './link-token.ts'

const SCOPE = 'upload'
/** As long as in the hosted service. */
const UPLOAD_LINK_SECONDS = 2 * 3600

interface UploadClaims extends LinkClaims {
  upsert: boolean
  owner: string
  session_id: string
}

interface Place {
  bucket: string
  /** Name of the object in its bucket. */
  name: string
}

/** Signed addresses at which anybody can store one file for the account that signed it. */
export interface UploadLinks {
  /** The address below `/storage/v1` with its token, and the token alone. */
  sign(
    place: Place & { replaces: boolean },
    by: Pick<UserPrincipal, 'accountId' | 'sessionId'>,
  ): Promise<{ url: string; token: string }>
  /**
   * Returns the signer and whether a file may be replaced. Throws LINK_INVALID, LINK_OF_OTHER, or LINK_OUTDATED, also
   * after the signer has signed out, was deactivated, or may no longer upload.
   */
  read(token: string | undefined, asked: Place): Promise<{ signer: UserPrincipal; replaces: boolean }>
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

export function createUploadLinks(deps: { tokens: LinkTokens; findSigner: FindLinkIssuer }): UploadLinks {
  const { tokens, findSigner } = deps
  return {
    async sign({ bucket, name, replaces }, { accountId, sessionId }) {
      const claims = { url: `${bucket}/${name}`, scope: SCOPE, upsert: replaces, owner: accountId } as const
      const token = await tokens.sign({ ...claims, session_id: sessionId }, UPLOAD_LINK_SECONDS)
      return { url: `/object/upload/sign/${bucket}/${encodePath(name)}?token=${token}`, token }
    },

    async read(token, { bucket, name }) {
      const asked = { url: `${bucket}/${name}`, scope: SCOPE } as const
      const {
        upsert,
        owner: accountId,
        session_id: sessionId,
      } = await tokens.read<UploadClaims>(token, asked)
      const signer = await findSigner({ accountId, sessionId }, storageSignUpload)
      if (!signer) throw new AppError('LINK_OUTDATED')
      return { signer, replaces: upsert }
    },
  }
}
