.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 16
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 40
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -24
    const/16 v10, 72
    const/16 v11, -215
    :b0
    :t0_start
    if-gtz v2, :b8
    :b1
    ushr-int v11, v1, v3
    mul-int v4, v4, v10
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v2, v5
    sub-int v2, v3, v1
    if-eq v4, v1, :b2
    :b2
    shr-int v2, v10, v2
    xor-int v11, v9, v3
    const v10, -418916957
    shl-int v2, v4, v4
    :b3
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v2, v5
    move/16 v9, v2
    sub-int v3, v11, v10
    sub-int v2, v2, v2
    if-gt v4, v4, :b4
    :b4
    const v3, 766003398
    sub-int v3, v4, v1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v1}, LU1;->m1(LCtx;III)I
    move-result v3
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    if-ne v3, v3, :b9
    :b5
    const/4 v8, 0x0
    goto/32 :skip1
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    const-wide v5, 0x123456789abcdefL
    :skip1
    new-instance v7, LE0;
    invoke-direct {v7, v4}, LE0;-><init>(I)V
    throw v7
    :b6
    const v3, 486768511
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m1(LCtx;III)I
    move-result v10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    if-ge v3, v3, :fuel2
    nop
    :t0_end
    :b7
    sub-int v11, v3, v11
    if-ge v3, v2, :fuel3
    :b8
    xor-int v4, v11, v3
    const-string v7, "s\n:b1"
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v2, v5
    move-object/from16 v7, p0
    invoke-virtual {v7, v2}, LCtx;->mix(I)I
    move-result v4
    goto/32 :b9
    :b9
    :t1_start
    mul-int/lit8 v1, v4, 79
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v4}, LU2;->m0(LCtx;III)I
    move-result v3
    move/16 v11, v11
    nop
    :t1_end
    goto/32 :exit
    .catch Ljava/lang/Exception; {:t0_start .. :t0_end} :handler5
    .catchall {:t0_start .. :t0_end} :handler7
    .catchall {:t1_start .. :t1_end} :handler9
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler5
    move-exception v7
    goto/32 :fuel4
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :handler7
    move-exception v7
    goto/32 :fuel6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :handler9
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel8
    throw v7
    :exit
    return v1
.end method

.method public static s1(LCtx;III)I
    .registers 49
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 35
    const/16 v10, 73
    const/16 v11, 266
    const/16 v12, -118
    const/16 v13, 154
    const/16 v14, 272
    const/16 v15, 241
    const/16 v16, -13
    const/16 v17, 83
    const/16 v18, -127
    const/16 v19, 157
    const/16 v20, 292
    const/16 v21, 218
    const/16 v22, -71
    const/16 v23, 148
    const/16 v24, 217
    const/16 v25, 147
    const/16 v26, 225
    const/16 v27, -108
    const/16 v28, -4
    const/16 v29, -240
    const/16 v30, 241
    const/16 v31, 8
    const/16 v32, -174
    const/16 v33, -123
    const/16 v34, 183
    const/16 v35, -151
    const/16 v36, 69
    const/16 v37, 122
    const/16 v38, -215
    const/16 v39, -69
    const/16 v40, -121
    const/16 v41, 125
    const/16 v42, 296
    const/16 v43, -232
    const/16 v44, 88
    :b0
    const-class v7, LA0;
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v3}, LU2;->m0(LCtx;III)I
    move-result v38
    :b1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v2, v7, v8
    goto/32 :b2
    :b2
    :t0_start
    rem-int/lit16 v3, v4, 1137
    and-int/lit16 v8, v3, 0x3ff
    sparse-switch v8, :sparse1
    :b3
    if-ge v2, v3, :b8
    :b4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LS;->s3(LCtx;III)I
    move-result v13
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v2, v7, v8
    if-nez v14, :b6
    :b5
    xor-int/lit8 v3, v4, 22
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v3, v5
    shl-int v29, v14, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v1}, LU1;->m1(LCtx;III)I
    move-result v35
    if-gtz v2, :fuel2
    :b6
    shr-int v33, v39, v9
    goto :fuel3
    :b7
    and-int v2, v33, v12
    sub-int v1, v4, v9
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v2, v5
    shr-int v10, v41, v38
    if-le v2, v3, :fuel4
    :b8
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v2, v5
    and-int/lit8 v17, v12, -72
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v4}, LU2;->m0(LCtx;III)I
    move-result v2
    mul-int v3, v40, v1
    if-ne v4, v1, :fuel5
    :b9
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    nop
    :t0_end
    goto/32 :exit
    .catchall {:t0_start .. :t0_end} :handler7
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b8
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :handler7
    move-exception v7
    goto/32 :fuel6
    :exit
    return v1
    :sparse1
    .sparse-switch
        4 -> :b5
        9 -> :b4
        14 -> :b8
        134 -> :b5
        209 -> :b3
        264 -> :b4
        268 -> :b8
        358 -> :b3
        370 -> :b3
        406 -> :b8
        411 -> :b8
        429 -> :b5
        467 -> :b3
        491 -> :b8
        529 -> :b5
        532 -> :b3
        538 -> :b8
        547 -> :b8
        598 -> :b8
        622 -> :b3
        706 -> :b8
        734 -> :b3
        794 -> :b4
        854 -> :b4
        876 -> :b5
        902 -> :b8
        908 -> :b8
        923 -> :b8
        986 -> :b5
        990 -> :b3
    .end sparse-switch
.end method

.method public static s2(LCtx;III)I
    .registers 15
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 3
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 116
    const/16 v10, -100
    :b0
    if-eqz v4, :b6
    :b1
    add-int/2addr v4, v4
    return v3
    :b2
    or-int v3, v4, v3
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LS;->s1(LCtx;III)I
    move-result v9
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aget v3, v7, v8
    if-ne v2, v3, :b5
    :b3
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v4, v5
    move/16 v10, v2
    add-int/2addr v3, v3
    new-instance v7, LE0;
    invoke-direct {v7, v1}, LE0;-><init>(I)V
    throw v7
    :b4
    new-instance v7, LE0;
    invoke-direct {v7, v3}, LE0;-><init>(I)V
    throw v7
    :b5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v2}, LU2;->m0(LCtx;III)I
    move-result v4
    if-le v1, v4, :fuel1
    :b6
    and-int/lit8 v8, v3, 3
    div-int v3, v10, v8
    sub-int v1, v2, v3
    rem-int/lit16 v1, v3, 528
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed2
    :b7
    const v2, 389725163
    goto :fuel5
    :b8
    if-eq v3, v3, :fuel6
    :b9
    add-int/lit8 v3, v3, 124
    rem-int/lit16 v3, v4, 2921
    const-class v7, LA0;
    rem-int/lit16 v3, v2, 2788
    if-le v2, v1, :fuel7
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b7
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :exit
    return v1
    :packed2
    .packed-switch -1
        :fuel3
        :fuel4
        :b7
    .end packed-switch
.end method

.method public static s3(LCtx;III)I
    .registers 18
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 235
    const/16 v10, -107
    const/16 v11, 44
    const/16 v12, 4
    const/16 v13, 184
    :b0
    shl-int/lit8 v4, v13, 3
    const v11, 546553551
    and-int/lit8 v8, v11, 3
    rem-int v11, v4, v8
    xor-int/2addr v2, v4
    if-lt v2, v2, :b6
    :b1
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    mul-int/2addr v4, v2
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    int-to-long v5, v4
    mul-long/2addr v5, v5
    long-to-int v2, v5
    if-eq v1, v4, :fuel1
    :b2
    move/16 v13, v1
    mul-int v3, v3, v1
    cmp-long v8, v5, v5
    mul-int/2addr v2, v4
    and-int/lit16 v8, v2, 0x3ff
    sparse-switch v8, :sparse2
    :b3
    shl-int/lit8 v4, v11, 96
    const-class v7, LA0;
    if-gt v2, v4, :b5
    :b4
    mul-int v3, v4, v1
    and-int/lit8 v8, v3, 3
    div-int v11, v10, v8
    goto/16 :b6
    :b5
    shl-int v10, v2, v2
    or-int v4, v3, v12
    if-gez v2, :fuel5
    :b6
    xor-int/lit8 v4, v2, 0
    shl-int v1, v2, v11
    int-to-long v5, v3
    mul-long/2addr v5, v5
    long-to-int v1, v5
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :exit
    return v1
    :sparse2
    .sparse-switch
        -18 -> :fuel3
        -14 -> :b3
        28 -> :b3
        43 -> :b6
        49 -> :b3
        108 -> :fuel3
        109 -> :b6
        118 -> :b3
        262 -> :fuel3
        364 -> :b3
        435 -> :b3
        466 -> :fuel4
        475 -> :b3
        544 -> :fuel3
        552 -> :b3
        561 -> :fuel3
        614 -> :b6
        652 -> :fuel3
        678 -> :fuel3
        749 -> :fuel4
        757 -> :b3
        762 -> :fuel3
        765 -> :b3
        769 -> :fuel3
        893 -> :fuel3
        910 -> :fuel4
        923 -> :fuel4
        930 -> :b6
        951 -> :fuel4
        952 -> :b3
    .end sparse-switch
.end method

.method public static s4(LCtx;III)I
    .registers 19
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -112
    const/16 v10, 272
    const/16 v11, 181
    const/16 v12, 167
    const/16 v13, -158
    const/16 v14, 80
    :b0
    xor-int/2addr v3, v4
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v1, v5
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v4
    goto/32 :b8
    :b1
    :t1_start
    :b2
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v2, v5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v1}, LU1;->m0(LCtx;III)I
    move-result v4
    if-gt v2, v4, :fuel1
    nop
    :t1_end
    :b3
    const v3, -875142600
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v14, 7
    aput v14, v7, v8
    if-nez v11, :fuel2
    :b4
    if-le v2, v3, :b6
    :b5
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v2}, LS;->s2(LCtx;III)I
    move-result v11
    const v4, -357651152
    and-int/lit8 v8, v11, 3
    div-int v10, v2, v8
    if-lt v4, v1, :b8
    :b6
    :t0_start
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 15
    aget v4, v7, v8
    if-eqz v10, :b9
    nop
    :t0_end
    :b7
    and-int/lit8 v8, v3, 3
    div-int v3, v3, v8
    if-lt v3, v2, :fuel3
    :b8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v3, 15
    aget v4, v7, v8
    return v11
    :b9
    shl-int v14, v1, v2
    if-ne v4, v3, :fuel4
    goto/32 :exit
    .catchall {:t0_start .. :t0_end} :handler6
    .catch Ljava/lang/ArithmeticException; {:t1_start .. :t1_end} :fuel7
    .catchall {:t1_start .. :t1_end} :handler9
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :handler6
    move-exception v7
    goto/32 :fuel5
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :handler9
    move-exception v7
    goto/32 :fuel8
    :exit
    return v1
.end method

.method public static s5(LCtx;III)I
    .registers 15
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -177
    const/16 v10, 191
    :b0
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m2(LCtx;III)I
    const v2, -1798017440
    if-gez v1, :b5
    :b1
    if-ge v1, v3, :b8
    :b2
    and-int/lit8 v8, v2, 3
    div-int v2, v4, v8
    move/16 v10, v4
    rem-int/lit16 v4, v1, 27
    or-int v2, v4, v3
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed1
    :b3
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v2
    xor-int v1, v2, v1
    ushr-int v9, v4, v2
    xor-int/2addr v3, v4
    new-instance v7, LE0;
    invoke-direct {v7, v2}, LE0;-><init>(I)V
    throw v7
    :b4
    nop
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v9
    rem-int/lit16 v1, v1, 178
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    and-int/lit8 v8, v1, 31
    packed-switch v8, :packed2
    :b5
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v4, v5
    const v1, -580868278
    mul-int v3, v2, v4
    goto/16 :fuel4
    :b6
    shr-int v9, v1, v4
    sub-int v9, v2, v9
    if-ge v4, v4, :fuel5
    :b7
    :t0_start
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed6
    :b8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aput v10, v7, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    return v3
    :b9
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    and-int/lit8 v8, v3, 3
    div-int v1, v10, v8
    move/16 v9, v3
    if-ge v3, v1, :b14
    :b10
    if-ne v2, v2, :fuel8
    :b11
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v2}, LU1;->m2(LCtx;III)I
    move-result v9
    if-ltz v1, :fuel9
    nop
    :t0_end
    :b12
    if-eq v1, v2, :fuel10
    :b13
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v1, 7
    aget v3, v7, v8
    if-lt v4, v4, :fuel11
    :b14
    ushr-int v1, v2, v10
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v1, v4}, LU0;->m1(LCtx;III)I
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aput v3, v7, v8
    if-lt v4, v1, :fuel12
    goto/32 :exit
    .catchall {:t0_start .. :t0_end} :handler14
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b9
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b6
    :fuel13
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b11
    :handler14
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel13
    throw v7
    :exit
    return v1
    :packed1
    .packed-switch 7
        :b13
        :b7
        :b7
        :b7
        :b7
        :b7
        :b7
        :b7
        :b7
        :b7
        :b9
        :b13
        :b13
        :b13
        :b7
        :b13
        :b13
        :b9
        :b7
        :b7
    .end packed-switch
    :packed2
    .packed-switch -4
        :fuel3
    .end packed-switch
    :packed6
    .packed-switch 13
        :b13
        :b9
        :b9
    .end packed-switch
.end method

