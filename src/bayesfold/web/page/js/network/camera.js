// Zoom and pan: wheel, pinch, drag, keys. The world is one element that is moved and scaled.

const LEAST = 0.08;
const MOST = 2.5;
const LEGIBLE = 0.2;
// Letters of a card are too small to read below FAR: names become larger, and states stand upon their bars;
// VERY_FAR, bars stand alone.
export const FAR = 0.62;
const VERY_FAR = 0.4;

export class Camera {
  constructor(canvas, world) {
    Object.assign(this, { canvas, world, x: 0, y: 0, zoom: 1, fingers: new Map() });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
  }

  apply() {
    this.world.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.zoom})`;
    this.world.classList.toggle("far", this.zoom < FAR);
    this.world.classList.toggle("very-far", this.zoom < VERY_FAR);
    this.world.style.setProperty("--letters", `${Math.min(26, 12.5 / this.zoom).toFixed(1)}px`);
  }

  wheel(event) {
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    if (event.ctrlKey || event.deltaMode || Math.abs(event.deltaY) >= 40 || event.deltaX === 0) {
      this.at(
        event.clientX - box.left,
        event.clientY - box.top,
        Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)),
      );
    } else {
      this.x -= event.deltaX;
      this.y -= event.deltaY;
      this.apply();
    }
  }

  at(x, y, factor) {
    const zoom = Math.min(MOST, Math.max(LEAST, this.zoom * factor));
    this.x = x - ((x - this.x) * zoom) / this.zoom;
    this.y = y - ((y - this.y) * zoom) / this.zoom;
    this.zoom = zoom;
    this.apply();
  }

  step(factor) {
    this.at(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2, factor);
  }

  down(event) {
    if (event.target.closest(".node, .canvas-tools, .canvas-foot")) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.classList.add("moving");
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (this.fingers.size === 2) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      const box = this.canvas.getBoundingClientRect();
      this.at(
        (now[0] + other[0]) / 2 - box.left,
        (now[1] + other[1]) / 2 - box.top,
        apart(now) / Math.max(apart(before), 1),
      );
    } else {
      this.x += now[0] - before[0];
      this.y += now[1] - before[1];
      this.apply();
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    if (!this.fingers.size) this.canvas.classList.remove("moving");
  }

  // What the tools above and the line below leave free.
  room() {
    const top = this.canvas.querySelector(".canvas-tools").offsetHeight + 26;
    return { w: this.canvas.clientWidth - 40, h: this.canvas.clientHeight - top - 56, top };
  }

  // How often the height of a world that is seen in its full width goes into the height that there is; 1 where it can
  // be read as it is.
  spare(width, height) {
    const { w, h } = this.room();
    return w / width < FAR ? h / (height * Math.max(LEGIBLE, w / width)) : 1;
  }

  // All of the world, below the tools; a small one is not blown up.
  fit(width, height) {
    const room = this.room();
    const zoom = Math.min(1.2, Math.max(LEGIBLE, Math.min(room.w / width, room.h / height)));
    this.zoom = Number.isFinite(zoom) && zoom > 0 ? zoom : 1;
    this.x = (this.canvas.clientWidth - width * this.zoom) / 2;
    this.y = room.top + Math.max(0, (room.h - height * this.zoom) / 2);
    this.apply();
  }

  centre(x, y, zoom = Math.max(this.zoom, 0.8)) {
    this.zoom = zoom;
    this.x = this.canvas.clientWidth / 2 - x * zoom;
    this.y = this.canvas.clientHeight / 2 - y * zoom;
    this.apply();
  }
}
