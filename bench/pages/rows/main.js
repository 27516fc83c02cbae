// The minimum work for fifty rows in a browser with React: one request, one element for each row, no styles,
// no routes.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const session = new URLSearchParams(location.search).get('session') ?? ''
const answer = await fetch('/models?limit=50', { headers: { authorization: session } })
const models = await answer.json()
const rows = models.map((model) =>
  createElement('li', { key: model.id }, `${model.title}: ${model.description} (${model.file_size} bytes)`),
)
createRoot(document.getElementById('rows')).render(rows)
