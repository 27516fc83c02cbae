/** The current query of the address. The rendered one lags behind, and a second click must not undo the first. */
export const currentParams = (): URLSearchParams => new URLSearchParams(location.search)

/** The same address with other values. An empty value removes its name; all other parameters stay. */
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

/** The value of the address if it is one of a closed set; null otherwise. */
export function readOneOf<Value extends string>(
  params: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | null {
  const text = params.get(name)
  return values.find((value) => value === text) ?? null
}

export const readText = (params: URLSearchParams, name: string): string => (params.get(name) ?? '').trim()
