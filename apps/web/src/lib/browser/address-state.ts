/** The query of the address as it is now. What is drawn lags behind it, and a second press must not undo the first. */
export const currentParams = (): URLSearchParams => new URLSearchParams(location.search)

/** The same address with other values; an empty one takes its name away, and what else it holds stays. */
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

/** The value of the address if it is one of a closed set; anything else is as good as none. */
export function readOneOf<Value extends string>(
  params: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | null {
  const text = params.get(name)
  return values.find((value) => value === text) ?? null
}

export const readText = (params: URLSearchParams, name: string): string => (params.get(name) ?? '').trim()
