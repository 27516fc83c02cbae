import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { ErrorCode } from '@pegasus/contracts/errors'
import { hostedSso } from '@pegasus/contracts/auth/hosted-refused-calls'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'

/** Adds the endpoints of the hosted auth protocol that we do not offer. They are refused with the protocol's errors. */
export function addHostedRefusals(endpoints: Endpoints): void {
  const refuse = (endpoint: Endpoint, code: ErrorCode): void =>
    endpoints.add(endpoint, async () => {
      throw new AppError(code)
    })

  refuse(hostedSso, 'SAML_DISABLED')
}
