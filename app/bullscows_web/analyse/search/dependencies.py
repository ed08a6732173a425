"""What handlers ask for of the analysis: where positions are handed in."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from bullscows_web.analyse.search.service import AnalysisService


async def get_analysis(request: Request) -> AnalysisService:
    """Return where positions are handed in to be analysed."""
    return cast(AnalysisService, request.app.state.analysis)


AnalysisDep = Annotated[AnalysisService, Depends(get_analysis)]
