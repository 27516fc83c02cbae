import { ApiError } from '../http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Asks the signed-in person to confirm their identity. Resolves to true if they have done so. */
type IdentityCheck = () => Promise<boolean>

const RECENT_SIGN_IN_WANTED = 'reauthentication_required'
/** The code with which the auth service asks for a recent sign-in before a new password. */
const PASSWORD_SIGN_IN_WANTED = 'reauthentication_needed'
/** The message that is shown if the person cancels the confirmation. */
export const NOT_PROVEN = t('Nothing was changed, because you did not confirm your identity.')

let checkIdentity: IdentityCheck | null = null
/** The running question. Other calls that need a confirmation wait for the same question. */
let underWay: Promise<boolean> | null = null
let proofCount = 0

/**
 * Registers the function that asks. The dialog's component calls it, so that calls do not depend on the dialog. Returns
 * a function that unregisters it.
 */
export function connectIdentityCheck(check: IdentityCheck): () => void {
  checkIdentity = check
  return () => {
    if (checkIdentity === check) checkIdentity = null
  }
}

/**
 * Runs work that may need a recent sign-in. If the server needs one, the person is asked and the work is repeated. If
 * they cancel, it fails with an ApiError of the same status and code.
 */
export async function withRecentSignIn<Result>(work: () => Promise<Result>): Promise<Result> {
  const proofsBefore = proofCount
  try {
    return await work()
  } catch (error) {
    if (!isRecentSignInWanted(error)) throw error
    // No registered component can ask the person.
    if (!checkIdentity) throw error
    // The person may have confirmed for another call while this one was running.
    const isProven = proofCount > proofsBefore || (await proveIdentity(checkIdentity))
    if (!isProven) throw notProven(error)
  }
  return work()
}

/**
 * Returns whether an error asks for a recent sign-in. Our API and the auth service share a code for this. The auth
 * service has another one for a new password.
 */
const isRecentSignInWanted = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === RECENT_SIGN_IN_WANTED || error.code === PASSWORD_SIGN_IN_WANTED)

/**
 * Returns the error for a cancelled question. The server's message asks for a confirmation, so it would be wrong here.
 */
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
