import { PerspectiveCamera, Vector3 } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { createBed } from './bed.ts'
import { BED_SIZE_MM } from './bed-size.ts'
import { createContactShadow } from './contact-shadow.ts'
import { cssColor } from './css-color.ts'
import { createDimensionOverlay } from './dimension-overlay.ts'
import type { ReadyMesh } from '../mesh-message.ts'
import { createLitScene, createPart } from './part-mesh.ts'
import { CAMERA_FOV_DEGREES, type Direction, fitDistance, homeDirection, towardCamera } from './view-math.ts'
import { createRenderer, fitRenderer } from './renderer.ts'

export interface ViewerOptions {
  /** The accessible name of the canvas. */
  label: string
  /** Labels of the three dimensions, in the order x, y, z. */
  dimensionLabels: readonly string[]
  /** Called when the mesh is visible. On a slow graphics card, this is much later than the draw call. */
  onFirstFrame: () => void
  onContextLost: () => void
  onContextRestored: () => void
}

export type Viewer = ReturnType<typeof createViewer>

/** Share of the view that a fitted part fills. The rest is for dimension lines and the tools in the corners. */
const FILL = 0.66

/** Creates the 3D view inside `container`. It redraws only after a change. Throws if the browser has no WebGL. */
export function createViewer(container: HTMLElement, firstMesh: ReadyMesh, options: ViewerOptions) {
  const renderer = createRenderer(options.label, 'rounded-card')
  const canvas = renderer.domElement
  const camera = new PerspectiveCamera(CAMERA_FOV_DEGREES)
  camera.up.set(0, 0, 1)
  const scene = createLitScene(camera)
  const bed = createBed()
  scene.add(bed.object)
  container.append(canvas)
  let staged = stage(firstMesh)
  // Keep the shadow of the first mesh, usually the simplified one, because baking the shadow of the full
  // model is slow.
  const shadow = createContactShadow(renderer, firstMesh.size)
  shadow.object.position.z = bed.object.position.z / 2
  shadow.bake(staged.part.object.geometry)
  scene.add(shadow.object)

  /** Puts a mesh on the bed, with its dimensions. */
  function stage(mesh: ReadyMesh) {
    const part = createPart(mesh)
    bed.object.position.z = -Math.max(...mesh.size) * 0.001
    scene.add(part.object)
    const overlay = createDimensionOverlay(mesh.size, options.dimensionLabels)
    container.append(overlay.root)
    return {
      mesh,
      part,
      overlay,
      reach: Math.hypot(...mesh.size, BED_SIZE_MM * 1.5),
      middle: new Vector3(0, 0, mesh.size[2] / 2),
      dispose: () => {
        scene.remove(part.object)
        part.dispose()
        overlay.root.remove()
      },
    }
  }

  const controls = new OrbitControls(camera, canvas)
  // On a phone the view fills the screen, so a vertical swipe must scroll the page. Gestures with two fingers still
  // work.
  canvas.style.touchAction = 'pan-y'
  controls.dampingFactor = 0.12
  const limitZoom = () => {
    controls.minDistance = Math.max(...staged.mesh.size) * 0.2
    controls.maxDistance = staged.reach * 12
  }
  limitZoom()

  let frame = 0
  const requestDraw = () => {
    if (frame === 0) frame = requestAnimationFrame(draw)
  }
  const projected = new Vector3()
  const project = ([x, y, z]: readonly [number, number, number]): readonly [number, number] => {
    projected.set(x, y, z).project(camera)
    return [((projected.x + 1) / 2) * container.clientWidth, ((1 - projected.y) / 2) * container.clientHeight]
  }
  function draw() {
    frame = 0
    // With damping, `update` keeps moving the camera. Each change event requests the next frame, until the
    // camera is at rest.
    controls.update()
    const { overlay, reach } = staged
    const distance = controls.getDistance()
    camera.near = Math.max(distance / 200, distance - reach * 2)
    camera.far = distance + reach * 2
    camera.updateProjectionMatrix()
    renderer.render(scene, camera)
    if (!overlay.root.hidden)
      overlay.update([camera.position.x, camera.position.y, camera.position.z], project)
  }
  controls.addEventListener('change', requestDraw)

  const lookFrom = (direction: Direction) => {
    const { mesh, middle } = staged
    const distance = fitDistance(mesh.size, direction, camera.aspect, FILL)
    controls.target.copy(middle)
    camera.position.copy(middle).addScaledVector(new Vector3(...towardCamera(direction)), distance)
    requestDraw()
  }
  const currentDirection = (): Direction => {
    const away = camera.position.clone().sub(controls.target).normalize()
    return {
      azimuthDegrees: (Math.atan2(away.y, away.x) * 180) / Math.PI,
      elevationDegrees: (Math.asin(Math.max(-1, Math.min(1, away.z))) * 180) / Math.PI,
    }
  }

  let isUntouched = true
  controls.addEventListener('start', () => {
    isUntouched = false
  })
  const resize = () => {
    if (!fitRenderer(container, renderer, camera)) return
    // Fit the part again, but keep the view if a person has turned the part.
    if (isUntouched) lookFrom(homeDirection(staged.mesh.size))
    draw()
  }
  const applyTheme = () => {
    const ink = cssColor(getComputedStyle(container).color)
    staged.part.setInk(ink)
    bed.setInk(ink)
    requestDraw()
  }
  const stopWatching = watchPage(container, { resize, applyTheme, controls })
  const onLost = (event: Event) => {
    // The browser restores a lost context only if the default action is prevented.
    event.preventDefault()
    options.onContextLost()
  }
  const onRestored = () => {
    options.onContextRestored()
    shadow.bake(staged.part.object.geometry)
    requestDraw()
  }
  canvas.addEventListener('webglcontextlost', onLost)
  canvas.addEventListener('webglcontextrestored', onRestored)
  applyTheme()
  resize()
  const stopWaiting = whenDrawn(renderer.getContext() as WebGL2RenderingContext, options.onFirstFrame)

  let isWireframe = false
  let hasDimensions = true
  const showDetails = () => {
    staged.part.showWires(isWireframe)
    staged.overlay.root.hidden = !hasDimensions
    requestDraw()
  }

  return {
    canvas,
    /** Replaces the mesh with another mesh of the same model. A view that a person has chosen is kept. */
    showMesh: (mesh: ReadyMesh) => {
      if (mesh === staged.mesh) return
      staged.dispose()
      staged = stage(mesh)
      limitZoom()
      applyTheme()
      showDetails()
      if (isUntouched) lookFrom(homeDirection(mesh.size))
    },
    lookFrom: (direction: Direction) => {
      isUntouched = false
      lookFrom(direction)
    },
    fit: () => lookFrom(currentDirection()),
    zoom: (factor: number) => {
      isUntouched = false
      controls.dollyIn(1 / factor)
      requestDraw()
    },
    turn: (leftDegrees: number, upDegrees: number) => {
      isUntouched = false
      controls.rotateLeft((leftDegrees * Math.PI) / 180)
      controls.rotateUp((upDegrees * Math.PI) / 180)
      requestDraw()
    },
    showWires: (isShown: boolean) => {
      isWireframe = isShown
      showDetails()
    },
    showDimensions: (isShown: boolean) => {
      hasDimensions = isShown
      showDetails()
    },
    showBed: (isShown: boolean) => {
      bed.object.visible = isShown
      requestDraw()
    },
    dispose: () => {
      cancelAnimationFrame(frame)
      stopWaiting()
      stopWatching()
      canvas.removeEventListener('webglcontextlost', onLost)
      canvas.removeEventListener('webglcontextrestored', onRestored)
      controls.dispose()
      staged.dispose()
      shadow.dispose()
      bed.dispose()
      renderer.dispose()
      // A browser allows about sixteen WebGL contexts, including unused ones that are not garbage-collected yet, so
      // release this one immediately.
      if (!renderer.getContext().isContextLost()) renderer.forceContextLoss()
      canvas.remove()
    },
  }
}

/**
 * Calls `callBack` when the graphics card has executed all commands and the picture is shown. Returns a
 * function that cancels this.
 */
function whenDrawn(gl: WebGL2RenderingContext, callBack: () => void): () => void {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  gl.flush()
  const look = () => {
    // One more frame lets the picture reach the screen. For a lost context, `getSyncParameter` returns null.
    const isPending = fence && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED
    frame = requestAnimationFrame(isPending ? look : finish)
  }
  const finish = () => {
    gl.deleteSync(fence)
    callBack()
  }
  let frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

/**
 * Watches the container's size, the theme and the setting for reduced motion. Returns a function that stops watching.
 */
function watchPage(
  container: HTMLElement,
  on: { resize: () => void; applyTheme: () => void; controls: OrbitControls },
): () => void {
  const sizes = new ResizeObserver(on.resize)
  sizes.observe(container)
  const themes = new MutationObserver(on.applyTheme)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] })
  const motion = window.matchMedia('(prefers-reduced-motion: reduce)')
  const applyMotion = () => {
    on.controls.enableDamping = !motion.matches
  }
  motion.addEventListener('change', applyMotion)
  applyMotion()
  return () => {
    sizes.disconnect()
    themes.disconnect()
    motion.removeEventListener('change', applyMotion)
  }
}
