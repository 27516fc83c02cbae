export { addRestRoutes } from './rest/rest.routes.ts'
export {
  countActiveOwners,
  findAccountHits,
  findAccountSummary,
  insertUser,
  insertProfile,
  listAccountSummaries,
  demandsFactor,
  needsSecondStep,
  type AccountFilter,
  type AccountSummaryRow,
  type CurrentUserRow,
  presentCurrentUser,
  presentUser,
  replaceRole,
  setFullName,
  setSystemAccess,
} from './users.queries.ts'
