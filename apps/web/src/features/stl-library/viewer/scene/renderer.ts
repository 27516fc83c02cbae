import { type PerspectiveCamera, WebGLRenderer } from 'three'

/**
 * Creates a renderer whose canvas fills its container and can be focused. `className` rounds its corners. Throws if the
 * browser has no WebGL.
 */
export function createRenderer(label: string, className: string): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'low-power' })
  const canvas = renderer.domElement
  canvas.className = `absolute inset-0 size-full -outline-offset-3 ${className}`
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', label)
  return renderer
}

/** Gives the picture the size of its container. Returns false while the container has no size. */
export function fitRenderer(
  container: HTMLElement,
  renderer: WebGLRenderer,
  camera: PerspectiveCamera,
): boolean {
  const { clientWidth: width, clientHeight: height } = container
  if (width === 0 || height === 0) return false
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2))
  renderer.setSize(width, height, false)
  camera.aspect = width / height
  return true
}
