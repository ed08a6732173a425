"""FastAPI dependency for the analysis service."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from bullscows_web.analyse.search.service import AnalysisService


async def get_analysis(request: Request) -> AnalysisService:
    """Return the analysis service."""
    return cast(AnalysisService, request.app.state.analysis)


AnalysisDep = Annotated[AnalysisService, Depends(get_analysis)]
