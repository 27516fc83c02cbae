export { findPerson, insertPerson, type PersonRow, presentCurrentUser } from './users.queries.ts'
