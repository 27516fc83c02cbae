/**
 * Returns the headers for one page of a list: the total number of entries, and links to the next and the last page. In
 * each link, `page` is the first parameter, because the official client expects it there.
 */
export function pageHeaders(
  address: string,
  { page, perPage, total }: { page: number; perPage: number; total: number },
): { 'x-total-count': number; link: string } {
  const last = Math.max(1, Math.ceil(total / perPage))
  const linkTo = (to: number, rel: string) => `<${address}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  const link = [...(page < last ? [linkTo(page + 1, 'next')] : []), linkTo(last, 'last')].join(', ')
  return { 'x-total-count': total, link }
}
