import { MAX_PAGE, storageListPage } from '@pegasus/contracts/media/hosted-listing'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { presentListedFile } from '../media.present.ts'
import { readScopeOf } from '../storage-caller.ts'
import type { Page, ListPages } from './list-objects.service.ts'

/** Adds the endpoint that lists any number of files, page by page. */
export function addListPageRoutes(endpoints: Endpoints, { pages }: { pages: ListPages }): void {
  endpoints.add(storageListPage, async ({ params, body, user }) =>
    presentPage(
      await pages.read({
        bucket: params.bucket,
        scope: readScopeOf(user),
        prefix: body.prefix,
        isByFolder: body.with_delimiter,
        column: body.sortBy?.column ?? 'name',
        isDescending: body.sortBy?.order === 'desc',
        limit: Math.min(body.limit, MAX_PAGE),
        cursor: body.cursor,
      }),
    ),
  )
}

const presentPage = ({ entries, nextCursor }: Page) => ({
  folders: entries.flatMap(({ id, name }) => (id === null ? [{ name, key: name.slice(0, -1) }] : [])),
  objects: entries.flatMap((entry) =>
    entry.id === null ? [] : [{ ...presentListedFile(entry), key: entry.name }],
  ),
  hasNext: nextCursor !== null,
  ...(nextCursor !== null && { nextCursor }),
})
