import {
  hostedDeletePasskey,
  hostedListPasskeys,
  hostedRenamePasskey,
  hostedStartPasskeyRegistration,
  hostedStartPasskeySignIn,
  hostedVerifyPasskeyRegistration,
  hostedVerifyPasskeySignIn,
} from '@pegasus/contracts/auth/hosted-passkeys'
import type { CredentialAnswer } from '@pegasus/contracts/auth/webauthn'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { deviceOf } from '../audit/device.ts'
import type { PasskeyChallenge } from '../passkeys/passkey-challenges.ts'
import type { PasskeyParts } from '../passkeys/create-passkey-parts.ts'
import { presentPasskey } from './hosted-passkeys.present.ts'
import type { SignedInUsers } from './hosted-user.service.ts'

const presentChallenge = <O>({ id, expiresAt, options }: PasskeyChallenge & { options: O }) => ({
  challenge_id: id,
  options,
  expires_at: Math.floor(expiresAt.getTime() / 1000),
})

interface AnswerFields {
  challenge_id?: string | null | undefined
  credential?: CredentialAnswer | null | undefined
}

function readAnswer({ challenge_id: challengeId, credential }: AnswerFields) {
  if (!challengeId) throw new AppError('REQUEST_INCOMPLETE', { text: 'challenge_id is required' })
  if (!credential) throw new AppError('REQUEST_INCOMPLETE', { text: 'credential is required' })
  return { challengeId, credential }
}

function readName(name: string | null | undefined): string {
  if (!name) throw new AppError('REQUEST_INCOMPLETE', { text: 'friendly_name is required' })
  return name
}

/** Adds the endpoints for passkeys, in the protocol of the hosted auth service. */
export function addHostedPasskeyRoutes(
  endpoints: Endpoints,
  deps: PasskeyParts & { person: SignedInUsers },
): void {
  const { passkeys, passkeySignIn, person } = deps

  endpoints.add(hostedStartPasskeyRegistration, async ({ user }) =>
    presentChallenge(await passkeys.startRegistration(user)),
  )

  endpoints.add(hostedVerifyPasskeyRegistration, async ({ user, body, request }) =>
    presentPasskey(await passkeys.register(user, readAnswer(body ?? {}), deviceOf(request))),
  )

  endpoints.add(hostedStartPasskeySignIn, async () => presentChallenge(passkeySignIn.start()))

  endpoints.add(hostedVerifyPasskeySignIn, async ({ body, request }) =>
    person.asHostedSession(await passkeySignIn.signIn(readAnswer(body ?? {}), deviceOf(request))),
  )

  endpoints.add(hostedListPasskeys, async ({ user }) =>
    (await passkeys.list(user.accountId)).map(presentPasskey),
  )

  endpoints.add(hostedRenamePasskey, async ({ user, params, body }) =>
    presentPasskey(await passkeys.rename(user, params.id, readName(body?.friendly_name))),
  )

  endpoints.add(hostedDeletePasskey, async ({ user, params, request, reply }) => {
    await passkeys.remove(user, params.id, deviceOf(request))
    return reply.send()
  })
}
