/** Has whoever is signed in prove again who they are; answers whether they did. */
type IdentityCheck = () => Promise<boolean>

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
 * more; if they would rather not, it fails as it was refused.
 */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  const proofsBefore = proofCount
  try {
    return await work()
  } catch (error) {
    if (!isRecentSignInWanted(error)) throw error
    // Proved for another call while this one was on its way.
    if (proofCount === proofsBefore && !(await proveIdentity())) throw error
  }
  return work()
}

/** Our own API and the auth service have the same word for it. */
const isRecentSignInWanted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'reauthentication_required'

async function proveIdentity(): Promise<boolean> {
  if (!checkIdentity) return false
  underWay ??= countProof(checkIdentity()).finally(() => {
    underWay = null
  })
  return underWay
}

async function countProof(check: Promise<boolean>): Promise<boolean> {
  const isProven = await check
  if (isProven) proofCount += 1
  return isProven
}
