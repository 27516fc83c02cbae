export { createOutbox } from './outbox.ts'
export { addOutboxRoutes } from './outbox.routes.ts'
export { addRestRoutes } from './rest/rest.routes.ts'
export {
  countActiveOwners,
  findPerson,
  insertPerson,
  insertProfile,
  listPeople,
  type PeopleFilter,
  type PersonRow,
  presentCurrentUser,
  presentUser,
  replaceRole,
  setFullName,
  setSystemAccess,
} from './users.queries.ts'
