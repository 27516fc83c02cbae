/**
 * Returns the current query of the URL. The query from the last render may be outdated, so a second click would undo
 * the first.
 */
export const currentParams = (): URLSearchParams => new URLSearchParams(location.search)

/** Returns a copy of the parameters with these values. An empty or null value removes its parameter. */
export function withParams(
  params: URLSearchParams,
  values: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/** Returns the value of a parameter if it is in the allowed set; null otherwise. */
export function readOneOf<Value extends string>(
  params: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | null {
  const text = params.get(name)
  return values.find((value) => value === text) ?? null
}

export const readText = (params: URLSearchParams, name: string): string => (params.get(name) ?? '').trim()
