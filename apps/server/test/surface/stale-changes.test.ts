import { expect, it } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'
import { aModel } from '../support/library/library-factories.ts'
import { anItem, aPrintJob, aProduct, aSpool } from '../support/stock-factories.ts'

it('T94 a refused outdated change returns the current object, but no column that the API hides', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const draft = await app.http.inject({
    method: 'POST',
    url: '/api/drafts',
    headers: staff,
    payload: { content: {}, step: 1 },
  })
  const objects = [
    `/api/stl-files/${await aModel(app)}`,
    `/api/inventory/${await anItem(app)}`,
    `/api/filament/${await aSpool(app)}`,
    `/api/print-queue/${await aPrintJob(app)}`,
    `/api/products/${await aProduct(app)}`,
    `/api/drafts/${draft.json<{ id: string }>().id}`,
  ]
  let surplus = 0
  for (const url of objects) {
    const known = (await app.http.inject({ url, headers: staff })).json<Record<string, unknown>>()
    for (const method of ['PUT', 'DELETE'] as const) {
      const headers = { ...staff, 'if-match': '"99999"' }
      const payload = method === 'PUT' ? { notes: 'late' } : undefined
      const stale = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
      const { current } = stale.json<{ current: Record<string, unknown> }>()
      expect([method, url, stale.statusCode, Object.keys(current ?? {}).toSorted()]).toEqual([
        method,
        url,
        412,
        Object.keys(known).toSorted(),
      ])
      surplus += Object.keys(current).filter((field) => !(field in known)).length
    }
  }
  console.info(`T94 fields told to stale changes alone ${surplus} of ${objects.length} objects`)
})
