import { ApiError } from '../http/api-error.ts'

/** Has whoever is signed in prove again who they are; answers whether they did. */
type IdentityCheck = () => Promise<boolean>

const RECENT_SIGN_IN_WANTED = 'reauthentication_required'
/** What is said of work that was given up at the question. */
export const NOT_PROVEN = "Nothing was changed, because you did not confirm that it's you."

let checkIdentity: IdentityCheck | null = null
/** The proof that is under way: whatever needs one meanwhile waits for the same. */
let underWay: Promise<boolean> | null = null
let proofCount = 0

/** What asks the person registers itself here, so that calls need not know it. Returns what takes it back. */
export function connectIdentityCheck(check: IdentityCheck): () => void {
  checkIdentity = check
  return () => {
    if (checkIdentity === check) checkIdentity = null
  }
}

/**
 * Does what may need a recent sign-in. Where the server wants one, the person is asked, and the work is done once
 * more; if they would rather not, it fails with an ApiError of the same status and code that says so.
 */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  const proofsBefore = proofCount
  try {
    return await work()
  } catch (error) {
    if (!isRecentSignInWanted(error)) throw error
    // Nobody can be asked.
    if (!checkIdentity) throw error
    // Proved for another call while this one was on its way.
    const isProven = proofCount > proofsBefore || (await proveIdentity(checkIdentity))
    if (!isProven) throw notProven(error)
  }
  return work()
}

/** Our own API and the auth service have the same word for it. */
const isRecentSignInWanted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === RECENT_SIGN_IN_WANTED

/** The server's sentence asks to confirm, which is just what somebody has decided not to do. */
const notProven = (cause: unknown): ApiError =>
  new ApiError({ status: 403, code: RECENT_SIGN_IN_WANTED, detail: NOT_PROVEN, otherwise: NOT_PROVEN, cause })

async function proveIdentity(check: IdentityCheck): Promise<boolean> {
  underWay ??= countProof(check()).finally(() => {
    underWay = null
  })
  return underWay
}

async function countProof(check: Promise<boolean>): Promise<boolean> {
  const isProven = await check
  if (isProven) proofCount += 1
  return isProven
}
