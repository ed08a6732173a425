"""`/docs`, the API for people: Swagger UI from our own files.

FastAPI's own page loads scripts from another host and runs one inline; the content policy forbids
both.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import FileResponse

from bullscows_web.web.dependencies import SettingsDep

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def docs(settings: SettingsDep) -> FileResponse:
    """Return the page."""
    return FileResponse(
        settings.static_dir / "docs" / "page.html", headers={"Cache-Control": "no-cache"}
    )
