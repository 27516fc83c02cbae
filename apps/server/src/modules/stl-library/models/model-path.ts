/** Returns the page of a model in the web app, as a path with its query. */
export const modelPath = (id: string): string => `/?${new URLSearchParams({ tab: 'stl-library', model: id })}`
