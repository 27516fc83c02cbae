import { getSignInRules, updateSignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import type { SignInRulesService } from './sign-in-rules.service.ts'

/** Adds the endpoints with which owners decide which roles require a second factor. */
export function addSignInRuleRoutes(endpoints: Endpoints, { rules }: { rules: SignInRulesService }): void {
  endpoints.add(getSignInRules, () => rules.get())

  endpoints.add(updateSignInRules, ({ user, body, request, audit }) =>
    rules.update(user, body.second_factor_roles, { revision: requiredRevisionIn(request), audit }),
  )
}
